import envPaths from 'env-paths'

/** Returns `ROUNDHOUSE_HOME`, or the platform's folder for application data. */
export function supportPath(): string {
	return process.env.ROUNDHOUSE_HOME ?? envPaths('Roundhouse', { suffix: '' }).data
}
