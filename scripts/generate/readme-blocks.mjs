/** A document with the text between `<!-- generated: NAME -->` and `<!-- /generated: NAME -->` replaced. Every name must be there, once. */
export function replaceBlocks(readme, blocks) {
  return Object.entries(blocks).reduce((text, [name, content]) => {
    const [before, ...rest] = text.split(`<!-- generated: ${name} -->`);
    const [, after, ...more] = rest.join('').split(`<!-- /generated: ${name} -->`);
    if (rest.length !== 1 || after === undefined || more.length > 0)
      throw new Error(`The document needs one pair of the markers "generated: ${name}" and "/generated: ${name}".`);
    return `${before}<!-- generated: ${name} -->\n\n${content}\n\n<!-- /generated: ${name} -->${after}`;
  }, readme);
}
