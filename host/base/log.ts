import { redact } from './redaction.ts'

/** Where the host tells what it does. One line an entry, redacted; stdout belongs to the commands. */
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
 * A driver's words reach a terminal: they can neither begin a line of their own nor steer it.
 */
function oneLine(text: string): string {
	return text.replace(/[\r\n]+/g, ' | ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
}

export const silentLog: Log = { info: () => {}, warn: () => {} }
