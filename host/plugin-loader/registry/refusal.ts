import { PersistError } from 'tuf-js/dist/error.js'
import { HostError, messageOf } from '../../base/errors.ts'
import { pluginErrors } from '../errors.ts'
import { FetchError } from './fetcher.ts'
import { ClockError } from './metadata-cache.ts'
import { FingerprintError } from './root-chain.ts'

/** What the client of The Update Framework puts before the message of what it caught. */
const wrapping = /^Unable to load (?:snapshot metadata|targets) error (?:\w+: )?/

const diskCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENOTDIR', 'EISDIR']

/** Whether it is this machine's own disk that failed. */
export const isOfDisk = (error: unknown) =>
	error instanceof Error && 'code' in error && typeof error.code === 'string' && diskCodes.includes(error.code)

/** What kept a registry from being read, in words for the person. */
export function refusalOf(error: unknown, registry: string): HostError {
	if (error instanceof HostError) return error
	const reason = messageOf(error).replace(wrapping, '')
	const cause = { cause: error }
	if (error instanceof FetchError) return pluginErrors.make('registry_unreachable', { registry, reason }, cause)
	if (error instanceof FingerprintError) return pluginErrors.make('root_untrusted', { registry }, cause)
	if (error instanceof PersistError || isOfDisk(error))
		return pluginErrors.make('registry_not_kept', { registry, reason }, cause)
	const isExpired = error instanceof ClockError || / is expired$/.test(reason)
	if (isExpired) return pluginErrors.make('metadata_expired', { registry, reason }, cause)
	return pluginErrors.make('metadata_refused', { registry, reason }, cause)
}
