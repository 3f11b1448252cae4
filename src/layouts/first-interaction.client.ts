// What a page needs once somebody touches it, loaded together: toasts, what Back closes, and the on-screen keyboard.
import '#ui/layers.client.ts'
import '#ui/toast/toast.client.ts'
import './keyboard.client.ts'
