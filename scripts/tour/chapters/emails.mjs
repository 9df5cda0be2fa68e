import { readdirSync, readFileSync, statSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** What viewers left for people, which an assistant has no need to read. */
export const emails = {
  name: 'emails',
  title: 'Collected emails',
  async run({ ask, say, world, filesDir, assert }) {
    const span = { from: '2026-05-01', to: '2026-07-31' };
    const meant = world.emails.filter(({ created }) => created >= span.from && created < '2026-08-01');
    const exports = () => readdirSync(filesDir).filter((name) => name.startsWith('collected-emails'));
    const namesNobody = (text) => {
      for (const { email, fullName, mobileNumber } of meant)
        for (const value of [email, fullName, mobileNumber]) assert.ok(value === '' || !text.includes(value), 'The answer names a person.');
    };

    say('The service returns names, addresses and phone numbers as one long list. The assistant gets counts.');

    await ask({
      wants: 'How many people left us their email from May to July?',
      call: ['get_collected_emails', { ...span, groupBy: 'month' }],
      proves: 'The right counts by month. No name, address or phone number is in the answer.',
      came: ({ total }) => `${total.records} records, ${total.people} people, by month. No name or address is in the answer.`,
      check({ data, text }) {
        const people = (list) => new Set(list.map(({ email }) => email.toLowerCase())).size;
        assert.deepEqual(data.total, { records: meant.length, people: people(meant) });
        for (const { key, records, people: count } of data.groups) {
          const ofMonth = meant.filter(({ created }) => created.startsWith(key));
          assert.deepEqual([records, count], [ofMonth.length, people(ofMonth)]);
        }
        namesNobody(text + JSON.stringify(data));
      },
    });

    const call = ['get_collected_emails', { ...span, exportAs: 'csv' }];
    await ask({
      wants: 'Put them into a file for the newsletter team.',
      call,
      answers: 'decline',
      proves: 'The person declined, so no file was written.',
      check({ data }) {
        assert.equal(data.status, 'declined');
        assert.deepEqual(exports(), []);
      },
    });

    await ask({
      wants: 'Fine, I have checked with legal. Go on.',
      call,
      proves: 'A file with all of them that only its owner can read. The answer still contains no personal data.',
      check({ data, text }) {
        const [head, ...rows] = parse(readFileSync(data.path, 'utf8'));
        const at = head.indexOf('email');
        assert.deepEqual(inOrder(rows.map((row) => row[at])), inOrder(meant.map(({ email }) => email)));
        if (process.platform !== 'win32') assert.equal(statSync(data.path).mode & 0o077, 0);
        namesNobody(text + JSON.stringify(data));
      },
    });
  },
};

const inOrder = (texts) => [...texts].sort((a, b) => Number(a > b) - Number(a < b));
