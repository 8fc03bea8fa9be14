import type { Completions } from '@roundhouse/kit'
import { type Completing, type CompletionCatalog, complete as completeIn } from '@roundhouse/sql'
import { tokenAt, tokensOf } from '../sql/lexer.ts'
import { literal, parseName, quoted } from '../sql/names.ts'
import { split } from '../sql/split.ts'

/** What completion needs to know of PostgreSQL's language and names. */
export const completing: Completing = {
	dialect: {
		lexer: { tokenAt, tokensOf },
		split,
		quotes: { '"': '"' },
		foldsNames: true,
		joinsInChanges: false,
		starts: [
			...['select', 'insert into', 'update', 'delete from', 'with', 'create', 'alter', 'drop', 'merge into', 'values'],
			...['table', 'truncate', 'explain', 'analyze', 'vacuum', 'refresh materialized view', 'comment on', 'grant'],
			...['revoke', 'set', 'show', 'begin', 'commit', 'rollback', 'savepoint', 'call', 'do', 'copy'],
		],
	},
	names: {
		home: 'public',
		// Behind a chosen schema (wire/login.ts).
		fallback: 'public',
		systemSchemas: ['pg_catalog', 'information_schema'],
		// It is on every search path.
		implicit: { schema: 'pg_catalog', prefix: 'pg_' },
		parseName,
		quoted,
		literal,
	},
}

/** @param home the schema whose tables need no qualifier */
export const complete = (
	text: string,
	offset: number,
	catalog: CompletionCatalog,
	home = completing.names.home,
): Promise<Completions> => completeIn(text, offset, { ...completing, names: { ...completing.names, home }, catalog })
