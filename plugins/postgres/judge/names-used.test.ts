import { expect, test } from 'vitest'
import { parse } from '../console/parser.ts'
import { namesUsed } from './names-used.ts'

// The tree of an aggregate of JSON has a member `constructor`, which each object has.
test('a member of the tree is not looked up among those of all objects', async () => {
	for (const [sql, word] of [
		['select json_arrayagg(a) from t', 'json_arrayagg'],
		["select json_objectagg('a': a) from t", 'json_objectagg'],
	] as const) {
		const parsed = await parse(sql)
		const [tree] = 'statements' in parsed ? parsed.statements : []
		expect(tree && [...namesUsed(tree).keywords]).toEqual([word])
	}
})
