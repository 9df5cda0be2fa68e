/** Questions about the account; nothing is changed. */
export const lookAround = {
  name: 'look-around',
  title: 'Looking around',
  async run({ ask, say, world, assert }) {
    say(
      'A made-up account is running on this machine, and the server that was just built is connected to it. It is 3 August 2026 there, whatever day it is here.',
    );
    const channels = [...world.channels.values()];
    const titles = (list) => new Set(list.map(({ name }) => name));

    await ask({
      wants: 'Is everything set up?',
      call: ['check_setup'],
      proves: 'Both APIs answer, and the key itself is nowhere in the answer.',
      check({ data, text }) {
        assert.ok(data.ok && data.mainApi.ok && data.analyticsApi.ok);
        assert.equal(data.settings.VIDEO_HOSTING_API_KEY, 'set');
        assert.doesNotMatch(text, /demo-api-key/);
      },
    });

    await ask({
      wants: 'Which channels have webinars in them?',
      call: ['list_channels', { search: 'webinar' }],
      proves: 'Every page was searched: the account has exactly these.',
      check({ data }) {
        const wanted = channels.filter(({ name, description }) => /webinar/i.test(`${name} ${description}`));
        assert.deepEqual(titles(data.channels), titles(wanted));
      },
    });

    await ask({
      wants: 'Tell me about Customer Stories.',
      call: ['get_channel', { channel: 'Customer Stories' }],
      refused: true,
      proves: 'Two channels have that name. No guess is made: the answer names both.',
      check({ text }) {
        for (const { name, id } of channels) if (name === 'Customer Stories') assert.match(text, new RegExp(id));
      },
    });

    await ask({
      wants: 'Then Webinars 2026, please.',
      call: ['get_channel', { channel: 'Webinars 2026' }],
      proves: 'Found by its name. What it holds is not known, since the service does not tell; so nobody pretends to know.',
      check({ data }) {
        assert.equal(data.channel.id, world.channelNamed('Webinars 2026').id);
        assert.deepEqual(data.contents, { known: false, source: 'none' });
      },
    });

    await ask({
      wants: 'We are on Business. Which templates may we use?',
      call: ['list_channel_templates', { accountPlanType: 'Business', usableOnly: true }],
      proves: 'Active ones of Business and below, and no others.',
      check({ data }) {
        const wanted = world.templates.filter(({ planType, status }) => planType <= 3 && status === 1);
        assert.deepEqual(new Set(data.templates.map(({ key }) => key)), new Set(wanted.map(({ key }) => key)));
      },
    });

    await ask({
      wants: 'How are videos in the Archive project encoded?',
      call: ['get_project', { project: 'Archive' }],
      proves: 'The options as the service has them; what a number means is said only where it is documented.',
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
      proves: 'Every mistake is named at once, with the nearest right name.',
      check({ text }) {
        assert.match(text, /size/);
        assert.match(text, /planType/);
      },
    });
  },
};
