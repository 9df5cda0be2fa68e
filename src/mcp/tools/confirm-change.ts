import { agreementInput, changeOutput } from '../call/change-reply.ts';
import { defineConfirmation } from '../define-tool.ts';
import { CONFIRM_TOOL } from '../listing/confirmation-words.ts';

export const confirmChange = defineConfirmation({
  name: CONFIRM_TOOL,
  title: 'Confirm a change',
  description: 'Carries out what a confirmation_required answer previewed, after the user agreed to that very preview; for nothing else.',
  input: agreementInput,
  output: changeOutput,
});
