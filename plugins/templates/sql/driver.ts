import { defineDriver } from '@roundhouse/kit'
import { connectionOf, oneSession } from '@roundhouse/sql'
import * as catalog from './catalog.ts'
import { openCopy, type Session } from './database.ts'
import { language } from './language.ts'
import { values } from './values.ts'

/** SQLite: a dialect of SQL, from which the SQL layer makes pages, filters, groups, exports and the console. */
export default defineDriver({
	async connect(settings, context, { signal }) {
		const session = await openCopy(String(settings.file), context.scratchFolder, signal)
		const [version] = await session.read('select sqlite_version()', signal)
		const dialect = {
			info: { product: 'SQLite', version: String(version), notices: [] },
			sessions: oneSession(session, () => session.end()),
			language,
			values,
			readsOnly: 'This driver reads a copy of the file. It runs SELECT, VALUES and WITH, and changes nothing.',
			...catalog,
		}
		return connectionOf<Session>(dialect, context)
	},
})
