import { config } from 'zod';

// zod's documented options. A module of its own, imported first, so that they hold for the SDK's schemas too; the bundle also
// needs zod to come before the SDK.
config({
  // Without it zod compiles a parser for each schema with `new Function`, which is not allowed where code generation is switched off.
  jitless: true,
  // What is parsed was JSON, in which nothing holds itself: to look for that in each value would take 4 % of a call's CPU time.
  memoizer: { attach() {}, guard() {}, alloc: (_schema, _payload, empty) => empty },
});
