import { HEAD, openTestJournal } from './journal-fixtures.ts';

// A process that appends to the journal of the given directory, and prints the acknowledged records, until it is
// killed.
const journal = await openTestJournal(process.argv[2]!);
for (let serial = 0; ; serial += 10) {
  const sent = Array.from(
    { length: 10 },
    (_, index) => `${serial + index}:${'x'.repeat((serial * 37 + index) % 5000)}`,
  );
  await Promise.all(sent.map((text) => journal.append(HEAD, Buffer.from(text))));
  process.stdout.write(`${serial + 9}\n`);
}
