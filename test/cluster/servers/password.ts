/** The password of every user of the tests' servers. */
export const PASSWORD = 'Zq9-only-for-tests';
