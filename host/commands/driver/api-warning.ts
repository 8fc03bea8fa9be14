import { apiFaultOf } from '../../plugin-loader/choose-release.ts'

/** Warns an author of a release that a host of this version refuses to install. @returns no line, or one */
export function apiWarnings({ api }: { readonly api: string }): readonly string[] {
	const fault = apiFaultOf(api)
	if (fault === undefined) return []
	return [`Warning: the driver ${fault}. This host will not install it. Change engines.roundhouse of the manifest.`]
}
