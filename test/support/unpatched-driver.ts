import postgres from 'postgres';

/** Loaded before a program: hides that the driver is patched. */
delete (postgres as { isPatched?: true }).isPatched;
