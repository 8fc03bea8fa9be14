/** What a driver of a SQL database imports: its dialect, and what makes a connection of it. */

export type { Sessions, SqlSession } from '../connection.ts'
export { numberCell } from '../grid/cells.ts'
export { typedBytes } from '../text/conditions.ts'
export { type Lexer, lexerOf, placeholderPattern, type Token, type Tokens } from '../text/lexer.ts'
export type { TextRow } from '../text/session.ts'
export { type KnownColumn, readColumn, referencesIn } from './columns.ts'
export { connectionOf } from './connection.ts'
export type {
	Dialect,
	DialectSession,
	DialectTable,
	Given,
	KeyPart,
	Language,
	Result,
	TakeRow,
	ValueColumn,
	Values,
} from './dialect.ts'
export { eachRow, oneSession } from './one-session.ts'
