import { planUndo } from '../../changes/undo.ts';
import { changeOutput } from '../change-reply.ts';
import { changeIdArgument, defineChange } from '../define-tool.ts';

export const undoChange = defineChange({
  name: 'undo_change',
  title: 'Undo a change',
  description: 'Sets back what a change of this server did, where nobody touched it since; a batch as one. Itself confirmed, and undoable.',
  destructive: true,
  input: { changeId: changeIdArgument },
  output: changeOutput,
  plan: ({ changeId }, context) => planUndo(changeId, context),
});
