import { setFlagsFromString } from 'node:v8';

// undici reads the heads of answers with WebAssembly, the only one in this process. After the first few V8 would compile
// it again, optimised: 50 ms of CPU time and 30 MB, more than all heads of a session are worth.
setFlagsFromString('--liftoff-only');
