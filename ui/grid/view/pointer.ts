/** Tells where the pointer goes until its button is let go, wherever in the window that is. Gives what ends it sooner. */
export function followPointer(onMove: (event: MouseEvent) => void): () => void {
	const move = (event: MouseEvent) => (event.buttons === 0 ? stop() : onMove(event))
	function stop(): void {
		removeEventListener('mousemove', move)
		removeEventListener('mouseup', stop)
	}
	addEventListener('mousemove', move)
	addEventListener('mouseup', stop)
	return stop
}
