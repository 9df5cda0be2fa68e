/** That a change is about records for which others wait, before the ids of those. Shared with the approval page’s browser code. */
export function overtakesText(changes: number, isApproved: boolean): string {
  const overtakes = isApproved ? 'overtakes' : 'would overtake';
  return changes === 1
    ? `An older change for some of the same records waits for a person, and this one ${overtakes} it:`
    : `Older changes for some of the same records wait for a person, and this one ${overtakes} them:`;
}
