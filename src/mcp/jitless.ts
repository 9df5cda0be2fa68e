import { config } from 'zod';

// zod would compile a parser for each schema with `new Function`, which costs more at start than it saves in a run,
// and is not allowed where code generation is switched off. Imported first, so that it holds for the SDK's schemas too.
config({ jitless: true });
