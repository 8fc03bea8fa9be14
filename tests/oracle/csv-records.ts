/** Reads CSV as RFC 4180 describes it. A value without quotes that is empty is NULL. */
export function csvRecords(text: string): readonly (readonly (string | null)[])[] {
	const records: (string | null)[][] = []
	let record: (string | null)[] = []
	for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/g)) {
		record.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : plain))
		if (end === ',') continue
		records.push(record)
		record = []
	}
	return records
}
