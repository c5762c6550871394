import { Screen } from '../../ui/kit';
export const Home = () => <Screen title="Clock" />;
