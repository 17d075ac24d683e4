import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { FailureBoundary } from './components/Failure.tsx';

createRoot(document.getElementById('root')!).render(
  <FailureBoundary name="The interface">
    <App />
  </FailureBoundary>,
);
