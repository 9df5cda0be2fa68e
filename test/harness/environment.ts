/** The programs that tests start must not inherit the colour settings of a terminal. */
for (const name of ['FORCE_COLOR', 'NO_COLOR']) delete process.env[name];
