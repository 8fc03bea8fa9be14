import { defineErrors } from '../../base/errors.ts'

/** Every error of reading a registry or taking a release from it (docs/errors.md). */
export const registryClientErrors = defineErrors('plugin', {
	registry_unreachable: 'The plugin registry {registry} cannot be reached: {reason}.',
	registry_address:
		'A registry is an https: address, an http: address on this machine, or a file: folder. {registry} is none of these.',
	root_untrusted:
		'The registry {registry} does not begin with the root that this host trusts, because its fingerprint differs. Nothing was taken from it.',
	fingerprint_malformed:
		'The fingerprint of the registry {registry} is not 64 hexadecimal digits. Ask its publisher for the fingerprint, and correct it in settings.json.',
	metadata_expired:
		'The metadata of the registry {registry} is out of date, so it may hide newer releases: {reason}. Nothing was taken from it.',
	metadata_refused: 'The metadata of the registry {registry} was rejected: {reason}. Nothing was taken from it.',
	registry_not_kept:
		'The metadata of the registry {registry} could not be stored: {reason}. Free disk space, then try again.',
	release_malformed:
		'The registry {registry} lists {driver} {version}, but its manifest names another driver. The release was ignored.',
	release_too_new: '{driver} {version} needs a newer Roundhouse.',
	download_failed: '{driver} could not be downloaded: {reason}. Nothing was installed.',
})
