import { render } from 'preact';
import { App } from './app.tsx';
import { startSession } from './session.ts';
import { messageOf } from './use-query.ts';

const root = document.getElementById('app')!;
root.textContent = '';
const problem = await startSession().then(() => null, messageOf);
render(<App signInProblem={problem} />, root);
