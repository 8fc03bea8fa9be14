import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The tables of the contract. `service-contract.md` beside this file is a copy of the contract that the project was
 * given (`spec/service-contract.md` of its sources).
 */
const lines = readFileSync(join(import.meta.dirname, 'service-contract.md'), 'utf8').split('\n')

const isRule = (line: string) => /^\| -/.test(line)

/** Returns the rows of the first table under a heading, each as the texts of its cells. */
export function tableUnder(heading: string): readonly (readonly string[])[] {
	const start = lines.findIndex(line => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
	if (start < 0) throw new Error(`the contract has no heading ${heading}`)
	const first = lines.findIndex((line, index) => index > start && isRule(line)) + 1
	const after = lines.findIndex((line, index) => index > first && !line.startsWith('|'))
	return lines.slice(first, after).map(line =>
		line
			.split(/(?<!\\)\|/)
			.slice(1, -1)
			.map(cell => cell.trim()),
	)
}

/** Returns the names in backticks of a cell. */
export const namesIn = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** Returns the names in the first column of the table under a heading. */
export function namesUnder(heading: string): readonly string[] {
	return tableUnder(heading).flatMap(([first]) => namesIn(first))
}
