import { runProgram } from './program.ts';

process.exitCode = await runProgram('admin', process.argv);
