/** A document with the text between `<!-- NAME -->` and `<!-- /NAME -->` replaced. Every name must be there, once. */
export function replaceBlocks(document, blocks) {
  return Object.entries(blocks).reduce((text, [name, content]) => {
    const [before, ...rest] = text.split(`<!-- ${name} -->`);
    const [, after, ...more] = rest.join('').split(`<!-- /${name} -->`);
    if (rest.length !== 1 || after === undefined || more.length > 0)
      throw new Error(`The document needs one pair of the markers "${name}" and "/${name}".`);
    return `${before}<!-- ${name} -->\n\n${content}\n\n<!-- /${name} -->${after}`;
  }, document);
}
