import { redact } from './redaction.ts'

/** Where the host tells what it does. One line an entry, redacted; stdout belongs to the commands. */
export interface Log {
	info(message: string): void
	warn(message: string): void
}

export function stderrLog(write: (line: string) => void = line => void process.stderr.write(line)): Log {
	const line = (level: string, message: string) =>
		write(`${new Date().toISOString()} ${level} ${redact(message).replace(/[\r\n]+/g, ' | ')}\n`)
	return { info: message => line('info', message), warn: message => line('warn', message) }
}

export const silentLog: Log = { info: () => {}, warn: () => {} }
