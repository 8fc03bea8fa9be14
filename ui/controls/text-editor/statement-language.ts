import { StreamLanguage } from '@codemirror/language'
import { type StatementLanguage, type StatementState, statementParser } from './statement-parts.ts'

/** A console language for the editor. */
export function consoleLanguage(description: StatementLanguage): StreamLanguage<StatementState> {
	return StreamLanguage.define(statementParser(description))
}
