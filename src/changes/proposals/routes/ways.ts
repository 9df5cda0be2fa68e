import type { FormSupport } from '../../asking/form.ts';
import type { UnseenForms } from '../../asking/unseen-forms.ts';
import type { Ways } from './route.ts';

/** What there is to ask a person with in a call. */
export async function waysOfCall(forms: FormSupport, unseenForms: Pick<UnseenForms, 'find'>, page: Ways['page']): Promise<Ways> {
  if (forms.kind === 'none') return { forms: { areDeclared: false }, page };
  return { forms: { areDeclared: true, unseen: await unseenForms.find(forms.client) }, page };
}
