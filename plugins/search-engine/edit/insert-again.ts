import type { Cell } from '@roundhouse/kit'
import type { RowKey } from '../grid/row-id.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { refuseWithheld } from './withheld.ts'

/** With a prefix, the index was restored from a snapshot or made by a lifecycle policy. */
const backingIndex = /(?:^|-)\.ds-/

/**
 * Returns what an insert needs beside the `_source` to make a document again. Behind an alias or a pattern, that
 * includes its index. `undefined` if the `_source` lacks fields. Also `undefined` for a backing index of a data stream,
 * in which the engine creates documents only through the stream, so perhaps in another index.
 */
export function insertAgain(
	{ index, id, routing }: RowKey,
	{ table, mapping }: { readonly table: string; readonly mapping: Mapping },
): Readonly<Record<string, Cell>> | undefined {
	const isBehind = index !== table
	if ((isBehind && !Object.hasOwn(mapping.definition, index)) || backingIndex.test(index)) return undefined
	try {
		refuseWithheld(index, mapping)
	} catch {
		return undefined
	}
	return { _id: id, ...(isBehind && { _index: index }), ...(routing !== undefined && { _routing: routing }) }
}
