import { redact } from './redaction.ts'

/** The host's log. One line per entry, redacted. It writes to stderr, because stdout belongs to the commands. */
export interface Log {
	info(message: string): void
	warn(message: string): void
}

export function stderrLog(write: (line: string) => void = line => void process.stderr.write(line)): Log {
	const line = (level: string, message: string) =>
		write(`${new Date().toISOString()} ${level} ${oneLine(redact(message))}\n`)
	return { info: message => line('info', message), warn: message => line('warn', message) }
}

/**
 * Replaces control characters: a driver's text reaches a terminal, and must neither start a new line nor control the
 * terminal.
 */
function oneLine(text: string): string {
	return text.replace(/[\r\n]+/g, ' | ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
}

export const silentLog: Log = { info: () => {}, warn: () => {} }
