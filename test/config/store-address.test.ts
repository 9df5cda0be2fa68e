import { describe, expect, test } from 'vitest';
import { readStoreAddress, type StoreAddress, storeAddressText } from '../../src/config/store-address.ts';

describe('the address of a store', () => {
  test.each<[text: string, expected: StoreAddress]>([
    ['clickhouse://me@db.example:8123/videos', { hosts: ['db.example:8123'], secure: false, user: 'me', database: 'videos' }],
    ['clickhouse://db.example/videos', { hosts: ['db.example:8123'], secure: false, user: 'default', database: 'videos' }],
    [
      'clickhouses://a%40b@one,two:9000,[::1]:1/videos?cluster=shards-2',
      { hosts: ['one:8443', 'two:9000', '[::1]:1'], secure: true, user: 'a@b', database: 'videos', cluster: 'shards-2' },
    ],
  ])('%s is parsed', (text, expected) => {
    expect(readStoreAddress(text)).toEqual(expected);
    expect(readStoreAddress(storeAddressText(expected))).toEqual(expected);
  });

  test.each([
    ['https://db.example/videos', 'form'],
    ['clickhouse://db.example', 'form'],
    ['clickhouse://me:secret@db.example/videos', 'password'],
    ['clickhouse://db.example/vid eos', 'database'],
    ['clickhouse://db.example/videos`; DROP', 'database'],
    ['clickhouse://db.example/', 'database'],
    ['clickhouse://db.example:0/videos', 'host:port'],
    ['clickhouse://db.example:99999/videos', 'host:port'],
    ['clickhouse://one,,two/videos', 'host:port'],
    ['clickhouse://one/videos?cluster=a`b', 'cluster'],
    ['clickhouse://one/videos?password=secret', 'query parameter'],
  ])('%s is refused, and the error repeats no part of it', (text, word) => {
    const read = readStoreAddress(text);
    expect('problem' in read && read.problem).toContain(word);
    expect(JSON.stringify(read)).not.toMatch(/secret|DROP|db\.example/);
  });
});
