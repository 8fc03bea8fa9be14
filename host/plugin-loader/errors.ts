import { defineErrors } from '../base/errors.ts'

/** Everything that can keep a driver from being listed, installed or started. */
export const pluginErrors = defineErrors('plugin', {
	registry_unreachable: 'The plugin registry {registry} cannot be reached: {reason}.',
	registry_address:
		'A registry is an https: address, an http: address on this machine, or a file: folder. {registry} is none of these.',
	root_untrusted: 'The registry {registry} is not signed by the key this host trusts. Nothing was taken from it.',
	root_expired: 'The key document of the registry {registry} expired on {expires}. Ask its publisher for a new one.',
	root_older:
		'The registry {registry} offers an older key document ({version}) than the one seen before ({seen}). It was refused.',
	signature_invalid: 'The index of the registry {registry} has a wrong signature. It was refused.',
	index_malformed:
		'The index of the registry {registry} is not what a registry index looks like: {reason}. It was refused.',
	index_expired:
		'The index of the registry {registry} expired on {expires}. It was refused: it may hide newer releases.',
	index_older:
		'The registry {registry} offers an older index ({version}) than the one seen before ({seen}). It was refused.',
	not_found: 'The registry has no driver {driver}.',
	no_fitting_release: 'No release of {driver} fits this Roundhouse: {reason}.',
	download_failed: '{driver} could not be downloaded: {reason}. Nothing was installed.',
	size_mismatch: 'The package of {driver} has another size than the registry says. Nothing was installed.',
	digest_mismatch:
		'The package of {driver} was altered: its digest is not the one the registry signed. Nothing was installed.',
	package_unsafe: 'The package of {driver} holds something it must not: {reason}. Nothing was installed.',
	manifest_mismatch:
		'The package of {driver} describes itself otherwise than the registry does. Nothing was installed.',
	start_failed: '{driver} {version} was downloaded but does not start: {reason}. {kept}',
	altered_on_disk: 'The installed driver {driver} was altered on disk: {reason}. It was not started; install it again.',
	not_installed: 'The driver {driver} is not installed. Run: roundhouse plugin install {driver}',
	name_taken: '{driver} brings "{name}", and {owner} has one of that name already. Nothing was installed.',
	older:
		'{driver} {installed} is installed, and the newest release that fits is older: {version}. To go back, name it: roundhouse plugin install {driver}@{version}',
	registry_unknown:
		'{driver} was installed from a registry that is not among yours any more. Add that registry again, or let go of it: roundhouse plugin remove {driver} --forget-registry',
	disabled:
		'The driver {driver} is switched off. Switch it on in Settings > Plugins, or run: roundhouse plugin enable {driver}',
	cancelled: 'The installation of {driver} was cancelled. Nothing was installed.',
})
