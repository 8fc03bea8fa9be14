import type { Session } from '../wire/session.ts'
import type { Shape } from './shape.ts'

/** Without the words before the method, for example `CREATE INDEX a ON t USING`. */
const sql = `
select concat(case when i.indisunique then 'unique ' end, regexp_replace(pg_get_indexdef(i.indexrelid), '^.*? USING ', ''),
	case when not i.indisvalid then ' (not valid)' end)
from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = $1::oid and not i.indisprimary order by c.relname`

/** Returns the indexes of a table beside the primary key, one text each: `unique btree (email)`. */
export async function indexesOf(session: Session, { oid }: Shape, signal: AbortSignal): Promise<readonly string[]> {
	const { rows } = await session.read({ sql, values: [oid] }, signal)
	return rows.map(([text]) => text ?? '')
}
