/** Questions about the account; nothing is changed. */
export const lookAround = {
  name: 'look-around',
  title: 'Looking around',
  async run({ ask, say, world, assert }) {
    say('A made-up account runs on this machine, and the built server is connected to it. Its date is always 3 August 2026.');
    const channels = [...world.channels.values()];
    const titles = (list) => new Set(list.map(({ name }) => name));

    await ask({
      wants: 'Is everything set up?',
      call: ['check_setup'],
      proves: 'Both APIs answer, and the answer does not contain the key.',
      check({ data, text }) {
        assert.ok(data.ok && data.mainApi.ok && data.analyticsApi.ok);
        assert.ok(data.credential.kind);
        assert.doesNotMatch(text, /demo-api-key/);
      },
    });

    await ask({
      wants: 'Which channels have webinars in them?',
      call: ['list_channels', { search: 'webinar' }],
      proves: 'Every page was searched. The account has exactly these.',
      came: ({ channels: found }) => `${found.length} of ${channels.length}: ${found.map(({ name }) => `“${name}”`).join(', ')}.`,
      check({ data }) {
        const wanted = channels.filter(({ name, description }) => /webinar/i.test(`${name} ${description}`));
        assert.deepEqual(titles(data.channels), titles(wanted));
      },
    });

    await ask({
      wants: 'Tell me about Customer Stories.',
      call: ['get_channel', { channel: 'Customer Stories' }],
      refused: true,
      proves: 'Two channels have that name, so the answer names both instead of guessing.',
      check({ text }) {
        for (const { name, id } of channels) if (name === 'Customer Stories') assert.match(text, new RegExp(id));
      },
    });

    await ask({
      wants: 'Then Webinars 2026, please.',
      call: ['get_channel', { channel: 'Webinars 2026' }],
      proves: 'Found by its name. Its contents are reported as not known, since the service does not return them.',
      check({ data }) {
        assert.equal(data.channel.id, world.channelNamed('Webinars 2026').id);
        assert.equal(data.contents.known, false);
      },
    });

    await ask({
      wants: 'We are on Business. Which templates may we use?',
      call: ['list_channel_templates', { accountPlanType: 'Business', usableOnly: true }],
      proves: 'The active templates of Business and lower plans, and no others.',
      check({ data }) {
        const wanted = world.templates.filter(({ planType, status }) => planType <= 3 && status === 1);
        assert.deepEqual(new Set(data.templates.map(({ key }) => key)), new Set(wanted.map(({ key }) => key)));
      },
    });

    await ask({
      wants: 'How are videos in the Archive project encoded?',
      call: ['get_project', { project: 'Archive' }],
      proves: 'The options as the service returns them. A number is explained only if its meaning is documented.',
      check({ data }) {
        const { id, options } = world.projectNamed('Archive');
        assert.equal(data.project.id, id);
        assert.deepEqual(data.project.options, options);
      },
    });

    await ask({
      wants: 'List the channels of the Pro plan, a thousand a page.',
      call: ['list_channels', { planTyp: 'Pro', size: 1000 }],
      refused: true,
      proves: 'One answer names every mistake, with the nearest valid name.',
      check({ text }) {
        assert.match(text, /size/);
        assert.match(text, /planType/);
      },
    });
  },
};
