import type { Tool } from '../define-tool.ts';
import { tools } from './index.ts';

/** The build replaces this module, so that a call loads its own tool alone. */
export const toolNamed = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);
