import type { ConfirmMode } from '../../../config/confirm-routes.ts';
import type { ApprovalPage } from '../../asking/approval-page.ts';
import type { FormSupport } from '../../asking/form.ts';
import type { UnseenForms } from '../../asking/unseen-forms.ts';
import type { Journal } from '../../journal/journal.ts';
import type { AskedHere } from '../asked-here.ts';
import type { ProposalStore } from '../store.ts';
import type { Ways } from './route.ts';

/** What a way to ask can use. */
export interface RouteDeps {
  readonly mode: ConfirmMode;
  readonly journal: Pick<Journal, 'has'>;
  readonly proposals: ProposalStore;
  readonly askedHere: AskedHere;
  readonly unseenForms: UnseenForms;
  readonly page: ApprovalPage;
  readonly waysOf: (forms: FormSupport) => Promise<Ways>;
}
