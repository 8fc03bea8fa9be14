import { type Command, InvalidArgumentError } from 'commander'
import { viewLinkPrefix } from '../api/view-links.ts'
import type { CommandContext } from './context.ts'

/** Options that several commands share. */

/** Returns what a command was called with. */
export type ContextOf = (command: Command) => CommandContext

/** Collects the values of a repeatable option. */
export const collect = (value: string, all: readonly string[] = []) => [...all, value]

export const port = (value: string) => {
	const number = Number(value)
	if (!Number.isInteger(number) || number < 0 || number > 65535) throw new InvalidArgumentError('A port is 0 to 65535.')
	return number
}

export const viewLink = (value: string) => {
	if (!value.startsWith(viewLinkPrefix)) throw new InvalidArgumentError(`A link begins with ${viewLinkPrefix}.`)
	return value
}

export const asJson = (command: Command) => command.option('--json', 'print JSON for programs')

export const withRegistry = (command: Command) =>
	command
		.option('--registry <url>', 'another default plugin registry, for this run')
		.option('--registry-key <fingerprint>', "the fingerprint of that registry's first root (SHA-256)")
