import envPaths from 'env-paths'

/** The platform's place for application data, or `ROUNDHOUSE_HOME`. */
export function supportPath(): string {
	return process.env.ROUNDHOUSE_HOME ?? envPaths('Roundhouse', { suffix: '' }).data
}
