"""The parts of quick_sitemap. Import names from quick_sitemap only."""
