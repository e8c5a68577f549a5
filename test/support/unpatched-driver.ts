import postgres from 'postgres';

/** Makes the driver look as it is installed without its patch. */
delete (postgres as { isPatched?: true }).isPatched;
