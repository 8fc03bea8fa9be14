import type { JSX } from 'solid-js'

/** A driver's icon. It comes from a plugin, so it is drawn as a mask and never as markup: its content cannot run. */
export function DriverIcon(props: { readonly svg: string; readonly size?: number }): JSX.Element {
	const url = () => `url("data:image/svg+xml,${encodeURIComponent(props.svg)}")`
	return (
		<span
			class="driver-icon"
			aria-hidden="true"
			style={{ width: `${props.size ?? 20}px`, height: `${props.size ?? 20}px`, 'mask-image': url() }}
		/>
	)
}
