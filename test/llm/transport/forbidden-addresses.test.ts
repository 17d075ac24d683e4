import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForbiddenAddress } from '../../../src/llm/transport/forbidden-addresses.ts';

const METADATA = [
  ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'],
  ...[
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '::a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ],
  ...['0xa9fea9fe', '2852039166', '0251.0376.0251.0376', 'fe80::1', 'fe80::a9fe:a9fe%eth0'],
];
const NO_HOSTS = [
  ...['0.0.0.0', '0.1.2.3', '255.255.255.255', '224.0.0.1', '240.0.0.1', '192.0.2.1', '::', 'ff02::1'],
  ...['2001:0:a9fe:a9fe::1', 'fec0::1', '2001:db8::1', '::2', '', 'localhost', '1.2.3.4.5'],
];
const PRIVATE = [
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.1.1',
  'fd12::1',
  '::7f00:1',
];
const PUBLIC = ['1.1.1.1', '104.18.7.192', '2606:4700::6812:7c0', '64:ff9b::101:101'];

test('no model is called at an address of metadata, in any spelling', () => {
  for (const allowsPrivate of [true, false]) {
    for (const address of METADATA) assert.ok(isForbiddenAddress(address, { allowsPrivate }), address);
  }
});

test('no model is called at an address that is not one of a host', () => {
  for (const address of NO_HOSTS) assert.ok(isForbiddenAddress(address, { allowsPrivate: true }), address);
});

test('private addresses need the permission, public ones do not', () => {
  for (const address of PRIVATE) {
    assert.ok(!isForbiddenAddress(address, { allowsPrivate: true }), address);
    assert.ok(isForbiddenAddress(address, { allowsPrivate: false }), address);
  }
  for (const address of [...PUBLIC, '::ffff:1.1.1.1']) {
    assert.ok(!isForbiddenAddress(address, { allowsPrivate: false }), address);
  }
});
