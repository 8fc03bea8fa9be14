import { PersistError } from 'tuf-js/dist/error.js'
import { HostError, messageOf } from '../../base/errors.ts'
import { registryClientErrors } from './errors.ts'
import { FetchError } from './fetcher.ts'
import { ClockError } from './metadata-cache.ts'
import { FingerprintError } from './root-chain.ts'

/** Prefix that the client of The Update Framework adds to the message of a caught error. */
const wrapping = /^Unable to load (?:snapshot metadata|targets) error (?:\w+: )?/

const diskCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENOTDIR', 'EISDIR']

/** Whether the disk of this machine failed. */
export const isOfDisk = (error: unknown) =>
	error instanceof Error && 'code' in error && typeof error.code === 'string' && diskCodes.includes(error.code)

/** Returns the error that tells the user why a registry could not be read. */
export function refusalOf(error: unknown, registry: string): HostError {
	if (error instanceof HostError) return error
	const reason = messageOf(error).replace(wrapping, '')
	const cause = { cause: error }
	if (error instanceof FetchError) return registryClientErrors.make('registry_unreachable', { registry, reason }, cause)
	if (error instanceof FingerprintError) return registryClientErrors.make('root_untrusted', { registry }, cause)
	if (error instanceof PersistError || isOfDisk(error))
		return registryClientErrors.make('registry_not_kept', { registry, reason }, cause)
	const isExpired = error instanceof ClockError || / is expired$/.test(reason)
	if (isExpired) return registryClientErrors.make('metadata_expired', { registry, reason }, cause)
	return registryClientErrors.make('metadata_refused', { registry, reason }, cause)
}
