/** What a person has set for their own terminal is not what the programs that tests start are to go by. */
for (const name of ['FORCE_COLOR', 'NO_COLOR']) delete process.env[name];
