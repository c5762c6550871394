/** The main list. */
import { Screen } from '../../ui/kit';

export function Home() {
  return <Screen title="Settings" />;
}
