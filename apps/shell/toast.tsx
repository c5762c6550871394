/** The short message at the bottom. */
import type { PhoneState } from '../kernel/types';

export function Toast({ phone }: { phone: PhoneState }) {
  const toast = phone.os.toast;
  return toast ? <div class="toast"><span>{toast.text}</span></div> : null;
}
