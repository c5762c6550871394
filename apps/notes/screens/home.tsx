/** The list of notes. */
import { Screen } from '../../ui/kit';

export function Home() {
  return <Screen title="Notes" />;
}
