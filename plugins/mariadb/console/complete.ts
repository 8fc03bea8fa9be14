import type { Completing } from '@roundhouse/sql'
import { systemSchemas } from '../catalog/databases.ts'
import { tokenAt, tokensOf } from '../sql/lexer.ts'
import { literal } from '../sql/literals.ts'
import { parseName, quoted } from '../sql/names.ts'
import { split } from '../sql/split.ts'

/** Returns what completion needs to know of the language and names. @param home database in which names are looked up */
export const completingIn = (home: string | undefined): Completing => ({
	dialect: {
		lexer: { tokenAt: (text, start) => tokenAt(text, start), tokensOf: text => tokensOf(text) },
		split: text => split(text),
		quotes: { '`': '`' },
		foldsNames: false,
		joinsInChanges: true,
		starts: [
			...[
				'select',
				'insert into',
				'update',
				'delete from',
				'replace into',
				'with',
				'create',
				'alter',
				'drop',
				'values',
			],
			...['truncate', 'show', 'describe', 'explain', 'analyze', 'use', 'call', 'set', 'begin', 'start transaction'],
			...[
				'commit',
				'rollback',
				'savepoint',
				'grant',
				'revoke',
				'lock tables',
				'unlock tables',
				'load data',
				'optimize table',
			],
			...['delimiter'],
		],
	},
	names: {
		home,
		systemSchemas,
		parseName: name => {
			const { database, table } = parseName(name, home)
			return { schema: database, table }
		},
		quoted,
		literal,
	},
})
