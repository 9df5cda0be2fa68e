import { config } from 'zod';

// zod's documented option: without it zod compiles a parser for each schema with `new Function`, which is not allowed where
// code generation is switched off. A module of its own, imported first, so that it holds for the SDK's schemas too; the
// bundle also needs zod to come before the SDK.
config({ jitless: true });
