import type { Ability } from './abilities.ts'

/** The cases of the conformance kit as data. Their ids are stable: a release adds ids and never gives one a new meaning. */

export const groups = [
	'static',
	'process',
	'connect',
	'schema',
	'pages',
	'edits',
	'values',
	'console',
	'tools',
	'export',
	'faults',
] as const
export type Group = (typeof groups)[number]

interface Case {
	readonly id: `${Group}.${string}`
	/** What must be true, as a sentence about the driver. */
	readonly rule: string
	/** Without this ability the driver must refuse instead. */
	readonly needs?: Ability
}

export const cases = [
	{ id: 'static.api', rule: 'The manifest accepts the driver API of this host.' },
	{ id: 'static.same-bytes', rule: 'Two packs of the same folder have the same bytes.' },
	{ id: 'static.unpacks', rule: 'The package unpacks under the rules of an installation.' },
	{ id: 'static.licence', rule: 'The package names its licence and contains the text.' },
	{ id: 'static.readme', rule: 'The package contains a README.md.' },
	{ id: 'static.builtins', rule: 'The package uses no module that the sandbox refuses, and no native code.' },

	{ id: 'process.start', rule: 'The process is ready within five seconds.' },
	{ id: 'process.stop', rule: 'The process closes its connections and ends within two seconds.' },
	{ id: 'process.sample', rule: 'A manifest with hasSample comes with a sample that starts, and no other does.' },
	{ id: 'process.quiet', rule: 'The driver prints nothing and throws nothing but DriverError.' },

	{ id: 'connect.open', rule: 'A connection opens and names the product and its version.' },
	{ id: 'connect.apart', rule: 'Closing one connection leaves another one open.' },
	{ id: 'connect.closed', rule: 'A closed connection answers no more, and closing it again does nothing.' },
	{ id: 'connect.secret', rule: 'A wrong secret is refused with denied.', needs: 'authenticate' },
	{
		id: 'connect.certificate',
		rule: 'A server whose certificate is unknown, for another name or missing is refused.',
		needs: 'verifyCertificates',
	},
	{ id: 'connect.canary', rule: 'A secret occurs in no message, log or result.' },
	{ id: 'connect.refused', rule: 'A closed port fails with not_connected.' },
	{ id: 'connect.silent', rule: 'A server that never answers fails with not_connected or timeout within 30 seconds.' },
	{ id: 'connect.cancelled', rule: 'A cancelled attempt ends at once and closes its sockets.' },

	{ id: 'schema.list', rule: 'There is a table, and no two tables have the same name.' },
	{ id: 'schema.order', rule: 'Tables are listed in the same order each time.' },
	{ id: 'schema.describe', rule: 'Every listed table describes itself, with unique columns.' },
	{ id: 'schema.unknown', rule: 'A table that does not exist fails with not_found.' },
	{ id: 'schema.cannot', rule: 'A change that a table never takes is refused before it is sent.' },
	{ id: 'schema.hostile-names', rule: 'Quotes, separators and long names of tables are only names.' },
	{ id: 'schema.objects', rule: 'Objects beside tables have different names, a fixed order, and facts.' },
	{ id: 'schema.form', rule: 'A table that the form makes and changes is read as it was asked for.' },
	{ id: 'schema.many', rule: 'A list of 5,000 tables is whole, and arrives within five seconds.' },

	{ id: 'pages.sizes', rule: 'Pages of any size add up to the same rows, and no row occurs twice.' },
	{ id: 'pages.jump', rule: 'A page in the middle has the rows of that place.' },
	{ id: 'pages.end', rule: 'A page after the last row is empty.' },
	{ id: 'pages.count', rule: 'A count that says exact is the number of rows.' },
	{ id: 'pages.apart', rule: 'Closing one grid leaves another one open.' },
	{ id: 'pages.filter', rule: 'A filter returns the rows that match, and no others.', needs: 'filter' },
	{ id: 'pages.sort', rule: 'A sorted grid is in that order.', needs: 'sort' },
	{ id: 'pages.unknown-column', rule: 'A filter of a column that does not exist is refused.', needs: 'filter' },
	{
		id: 'pages.inserted',
		rule: 'While rows are inserted, no page repeats or omits a row that was there before.',
		needs: 'pageWhileWriting',
	},
	{
		id: 'pages.deleted',
		rule: 'While rows are deleted, no page repeats or omits a row that stays.',
		needs: 'pageWhileWriting',
	},
	{ id: 'pages.raw', rule: 'A raw query cannot widen the filters beside it.', needs: 'filter' },
	{ id: 'pages.row', rule: 'A row of a page can be read whole, and an unknown row is refused.' },

	{ id: 'edits.preview', rule: 'A preview says what would be sent, and sends nothing.', needs: 'update' },
	{ id: 'edits.insert', rule: 'An inserted row is there, with the values given.', needs: 'insert' },
	{ id: 'edits.update', rule: 'An update changes what it names, and nothing else.', needs: 'update' },
	{
		id: 'edits.conflict',
		rule: 'An update of a row that was changed meanwhile is a conflict.',
		needs: 'detectConflicts',
	},
	{
		id: 'edits.after-insert',
		rule: 'An update of a column that is read-only after the insertion is refused, and changes nothing.',
		needs: 'update',
	},
	{ id: 'edits.delete', rule: 'A deleted row is gone, and cannot be changed any more.', needs: 'delete' },
	{
		id: 'edits.one-row',
		rule: 'A change names one row: its twin stays, and a row that takes its place is another one.',
		needs: 'delete',
	},
	{ id: 'edits.outcomes', rule: 'Every change has one outcome, in order.', needs: 'update' },
	{
		id: 'edits.import',
		rule: 'Imported rows have true outcomes, and an aborted import stores nothing that is not applied.',
		needs: 'insert',
	},
	{ id: 'edits.whole', rule: 'With savesWhole, a change that fails leaves the others unapplied.', needs: 'update' },

	{ id: 'values.examples', rule: 'A value of the examples is read as it was written.', needs: 'update' },
	{ id: 'values.again', rule: 'A value that is read and written back stays the same.', needs: 'update' },

	{
		id: 'console.verdicts',
		rule: 'Each example is one statement with the access that it really has.',
		needs: 'runStatements',
	},
	{ id: 'console.offsets', rule: 'Offsets count UTF-16 units, behind emoji and CRLF too.', needs: 'runStatements' },
	{ id: 'console.disguise', rule: 'Comments, white space and case never lower a verdict.', needs: 'runStatements' },
	{ id: 'console.garbage', rule: 'A text that is no statement is never called a read.', needs: 'runStatements' },
	{
		id: 'console.large',
		rule: 'A megabyte of text, 10,000 brackets and 1,000 statements are analysed within five seconds each.',
	},
	{
		id: 'console.read',
		rule: 'A statement that reads runs, and returns no more rows than asked.',
		needs: 'runStatements',
	},
	{ id: 'console.truth', rule: 'What is called a read changes nothing.', needs: 'runStatements' },
	{
		id: 'console.attacks',
		rule: 'In a language with `select`, no ready-made attack that is called a read changes anything.',
		needs: 'runStatements',
	},
	{ id: 'console.permitted', rule: 'A write that was permitted as a read is not run.', needs: 'refuseUnpermitted' },
	{
		id: 'console.error',
		rule: 'A statement that fails is an error of the engine, not of the driver.',
		needs: 'runStatements',
	},
	{ id: 'console.place', rule: 'The place of an error is inside its statement.', needs: 'runStatements' },
	{ id: 'console.cancel', rule: 'A cancelled statement ends within a second.', needs: 'cancelStatements' },
	{ id: 'console.leftovers', rule: 'What a statement sets does not reach the next one.', needs: 'runStatements' },
	{
		id: 'console.sort',
		rule: 'A result in another order, or of a value, has the same rows as the whole one.',
		needs: 'runStatements',
	},
	{
		id: 'console.parameters',
		rule: 'A value apart from the text stays that value, whatever it contains.',
		needs: 'runStatements',
	},
	{
		id: 'console.session',
		rule: 'A session reports its transaction, and others see nothing of it before the commit.',
		needs: 'runStatements',
	},

	{
		id: 'console.trigger',
		rule: 'A rehearsal counts the rows that a trigger changes, or gives the reason why there is none.',
		needs: 'runStatements',
	},
	{
		id: 'console.cascade',
		rule: 'A rehearsal counts the rows that a cascade deletes, or gives the reason why there is none.',
		needs: 'runStatements',
	},
	{
		id: 'console.sequence',
		rule: 'A rehearsal counts the rows that a sequence numbers, or gives the reason why there is none.',
		needs: 'runStatements',
	},

	{ id: 'tools.schemas', rule: 'The schemas of every tool can be applied: references resolve and patterns compile.' },
	{ id: 'tools.hints', rule: 'The hints of a tool agree with its access.' },
	{ id: 'tools.connection', rule: 'A tool that needs a connection declares connection_id.' },
	{ id: 'tools.cost', rule: 'A tool costs a model at most 500 tokens.' },
	{ id: 'tools.examples', rule: 'A tool answers its example in the shape that it declares.' },

	{ id: 'export.grid', rule: 'An export has the rows and values of the grid.', needs: 'export' },
	{ id: 'export.limit', rule: 'An export has no more rows than its limit.', needs: 'export' },
	{ id: 'export.selection', rule: 'An export of selected rows has only those, in that order.', needs: 'export' },
	{
		id: 'export.statement',
		rule: 'An export of a statement has the rows of its result, and a statement that writes is not exported.',
		needs: 'export',
	},
	{ id: 'export.cancelled', rule: 'A cancelled export ends within a second, and the next one works.', needs: 'export' },
	{ id: 'export.cut', rule: 'An export that loses its connection fails, and is never short.', needs: 'export' },

	{ id: 'faults.sockets', rule: 'A closed connection leaves no socket open.' },
	{ id: 'faults.restart', rule: 'A call works again after the engine has closed its connections.' },
	{ id: 'faults.held', rule: 'A call that the engine does not answer can be cancelled.' },
	{
		id: 'faults.edit',
		rule: 'A change whose connection is cut has a true outcome, and is not sent twice.',
		needs: 'insert',
	},
] as const satisfies readonly Case[]

export type ConformanceCase = (typeof cases)[number]
export type CaseId = ConformanceCase['id']
/** The ids of one group. */
export type CasesOf<G extends Group> = Extract<CaseId, `${G}.${string}`>
